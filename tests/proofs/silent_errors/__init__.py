"""The public test of silence: false and undefined statements at every door, of which none may come out proved."""
