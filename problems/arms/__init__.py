"""How does a serial arm, as its maker describes it, become a problem file, and go back with corrected numbers?"""
