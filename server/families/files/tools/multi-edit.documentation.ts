/** Documentation of multi_edit beyond its description. */
export const multiEditDocumentation = `
Use it for several changes in one file. For one change use edit_file, for several files use patch.

{"path":"src/greet.ts","edits":[
  {"oldText":"import { a } from \\"./a\\";","newText":"import { b } from \\"./b\\";"},
  {"oldText":"a(","newText":"b(","replaceAll":true}
]}

- Edits are applied in order, and each sees the text that the edits before it have made. So a later oldText must not hold text that an
  earlier edit has replaced, and may hold text that it has put there.
- oldText is copied exactly from the file, with its indentation and without the line numbers of read_file. It must occur once; send more
  lines around it, or replaceAll: true for every occurrence.
- An empty newText deletes the text.
- A secret that is shown as *** cannot be part of oldText.

mode says how a failing edit counts
- strict (default): one failing edit leaves the file as it was. Use it for edits that need each other.
- partial: the edits before the first failing one are kept.
- best_effort: failing edits are left out, the others are kept. Read the report of each edit afterwards.

The report lists every edit by its number. After a failure read the file again before you send the rest.`.trim();
