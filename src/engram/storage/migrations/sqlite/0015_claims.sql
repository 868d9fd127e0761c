-- What texts claim is no longer read off them by rules: statements are compared by the pair judge,
-- and beliefs are what was handed in as such.
DROP TABLE claims;
