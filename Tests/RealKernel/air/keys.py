"""The keys of a headphone: of its LE side and of its audio side."""

import dataclasses

from bumble.keys import MemoryKeyStore


class Keys(MemoryKeyStore):
    """Bumble's forget those of one side when the other is paired with the same phone."""

    async def update(self, name, keys):
        if known := await self.get(name):
            new = {key: value for key, value in vars(keys).items() if value is not None}
            keys = dataclasses.replace(known, **new)
        await super().update(name, keys)
