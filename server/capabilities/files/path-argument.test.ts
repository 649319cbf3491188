import { expect, test } from "vitest";
import { FolderArgument, PathArgument } from "./path-argument";

test.each([
  ["drafts/../secrets.txt", "secrets.txt"],
  ["./a//b/./c.txt", "a/b/c.txt"],
  ["../up.txt", "../up.txt"],
  [".", "."],
  ["workspace_dir/a.txt", "a.txt"],
  ["./workspace_dir//a/../b", "b"],
  ["workspace_dir/../x", "x"],
  ["workspace_dir/./../x", "x"],
  ["a/workspace_dir/b", "a/workspace_dir/b"],
  ["file_cache_dir/a.txt", "file_cache_dir/a.txt"],
])("a rule sees %s as %s", (given, seen) => {
  expect(PathArgument.parse(given)).toBe(seen);
});

test.each(["file_cache_dir", "file_state_dir/", "./workspace_dir"])("%s alone names no file", (given) => {
  expect(PathArgument.safeParse(given).error?.issues[0]?.message).toContain("alias requires a relative file path");
  expect(FolderArgument.safeParse(given).success).toBe(true);
});
