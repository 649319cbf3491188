/** Documentation of patch beyond its description. */
export const patchDocumentation = `
Use mode patch for changes in several files that belong together: all files are changed, or none. For one place in one file
edit_file is shorter; for several places in one file use multi_edit.

A patch
*** Begin Patch
*** Update File: src/greet.ts
@@ export function greet(name: string) {
   const trimmed = name.trim();
-  return "Hi " + trimmed;
+  return \`Hello \${trimmed}\`;
 }
*** Add File: src/part.ts
+export const part = "Ada";
*** Delete File: src/old.ts
*** End Patch

- Each line of a hunk begins with one sign: a space for a line that stays, - for one that goes, + for one that comes. The space of a
  line that stays is followed by the line with its own indentation.
- @@ names a line above the hunk, such as the head of a function. Use it when the lines of the hunk occur more than once.
- Two or three lines that stay, around the change, find the place. Copy them from read_file without the line numbers.
- *** Move to: new/path behind *** Update File renames the file. Every line of *** Add File begins with +.
- At most 50 files and 300 hunks a patch.

Lines are searched exactly first, then with other white space, indentation and quotes. The result names a place that was found that way:
check it. When a hunk is not found or fits twice, nothing is written and the error names the file: read the file again, and send more
lines around the change.`.trim();
