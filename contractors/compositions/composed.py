"""What contractors made of contractors have in common: whom they are made of, what they cost and what they read."""

from __future__ import annotations

from certify.contractors.protocol.boxes import Contractor


class OfOne:
    """Made of a `child`."""

    child: Contractor

    @property
    def children(self) -> tuple[Contractor, ...]:
        """The child."""
        return (self.child,)

    @property
    def cost(self) -> int:
        """One more than the child's rank."""
        return self.child.cost + 1

    @property
    def reads(self) -> tuple[int, ...]:
        """What the child reads."""
        return self.child.reads


class OfMany:
    """Made of `children`."""

    children: tuple[Contractor, ...]

    @property
    def cost(self) -> int:
        """The rank of the dearest child."""
        return max((child.cost for child in self.children), default=0)

    @property
    def reads(self) -> tuple[int, ...]:
        """What any child reads."""
        return tuple(sorted({v for child in self.children for v in child.reads}))
