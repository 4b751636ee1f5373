-- kind: breaking
-- Items are no longer read from a standby, so nothing marks which primary it follows.
drop table internal.standby_marks;
