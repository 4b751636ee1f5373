-- kind: compatible
-- Measured labels may be round or on a roll, and their measures can be changed (docs/decisions/0089-measured-labels.md).

alter table public.measured_labels
  add column shape text not null default 'rectangle' check (shape in ('rectangle', 'round')),
  drop constraint measured_labels_page_check,
  add constraint measured_labels_page_check check (page in ('a4', 'letter', 'label')),
  -- On a roll a page is one label; of a round label the width and the height are its diameter.
  add constraint measured_labels_roll_check check (
    page <> 'label'
    or (columns = 1 and rows = 1 and margin_left = 0 and margin_top = 0 and gap_x = 0 and gap_y = 0)
  ),
  add constraint measured_labels_round_check check (shape <> 'round' or label_width = label_height);
comment on column public.measured_labels.page is 'The paper; ''label'' for a roll, whose page is one label.';
grant update (page, shape, label_width, label_height, columns, rows, margin_left, margin_top, gap_x, gap_y)
  on public.measured_labels to authenticated;
