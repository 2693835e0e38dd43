"""The library of ops, by formula; each is a spec whose backward is derived. Empty until the spec language stands."""
