"""Who works: this process alone, others of this machine, or those of a cluster; bytes in, bytes out."""
