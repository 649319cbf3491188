import { files } from "@/server/capabilities/call-capabilities";
import { artifacts } from "@/server/conversations/artifacts";
import { defineFamily } from "../define-family";
import { searchCheck } from "./search-check";
import { editFile } from "./tools/edit-file";
import { readArtifact } from "./tools/read-artifact";
import { readFile } from "./tools/read-file";
import { searchFiles } from "./tools/search-files";
import { writeFile } from "./tools/write-file";

export const filesFamily = defineFamily({
  name: "files",
  tools: [editFile, readArtifact, readFile, searchFiles, writeFile],
  capabilities: [artifacts, files],
  doctor: [searchCheck],
  promptHints: {
    missing_file: 'search_files with target "name" finds what there is.',
    long_command: "Write it to a file with write_file and run that.",
    unread_file: "Read it with read_file first, then write it.",
    changed_file: "Read it again with read_file, then write what is still right.",
  },
});
