import { files } from "@/server/capabilities/call-capabilities";
import { longCommand } from "@/server/capabilities/shell/workspace-shell";
import { missingFile } from "@/server/capabilities/workspace-path";
import { artifacts } from "@/server/conversations/artifacts";
import { removeOldCopies } from "@/server/conversations/file-copies/copies-store";
import { keptCopies } from "@/server/conversations/file-copies/keep-file-copies";
import { changedFile, partlyReadFile, unreadFile } from "@/server/turns/execute/overwrite-guard";
import { defineFamily } from "../define-family";
import { fileChanges } from "./changes/changes-capability";
import { removeOldChanges } from "./changes/remove-old-changes";
import { earlierReads } from "./earlier-reads";
import { fileChangeAnswers } from "./endpoints";
import { searchCheck } from "./search-check";
import { checkpoints } from "./tools/checkpoints";
import { detectFileType } from "./tools/detect-file-type";
import { editFile } from "./tools/edit-file";
import { glob } from "./tools/glob";
import { jsonRead } from "./tools/json/json-read";
import { jsonWrite } from "./tools/json/json-write";
import { multiEdit } from "./tools/multi-edit";
import { notebookEdit } from "./tools/notebook/notebook-edit";
import { notebookRead } from "./tools/notebook/notebook-read";
import { patch } from "./tools/patch/patch";
import { readArtifact } from "./tools/read-artifact";
import { readFile } from "./tools/read-file";
import { searchFiles } from "./tools/search-files";
import { sendFile } from "./tools/send-file";
import { tree } from "./tools/tree";
import { writeFile } from "./tools/write-file";

export const filesFamily = defineFamily({
  name: "files",
  endpoints: fileChangeAnswers,
  tools: [
    checkpoints,
    detectFileType,
    editFile,
    glob,
    jsonRead,
    jsonWrite,
    multiEdit,
    notebookEdit,
    notebookRead,
    patch,
    readArtifact,
    readFile,
    searchFiles,
    sendFile,
    tree,
    writeFile,
  ],
  capabilities: [artifacts, earlierReads, fileChanges, files],
  doctor: [searchCheck],
  removeOldRows: [removeOldChanges, removeOldCopies],
  promptHints: [
    [keptCopies, "checkpoints shows and restores them."],
    [missingFile, 'search_files with target "name" finds what there is.'],
    [longCommand, "Write it to a file with write_file and run that."],
    [unreadFile, "Read it with read_file first, then write it."],
    [partlyReadFile, "Read the other lines with read_file first, or change a part of it with edit_file."],
    [changedFile, "Read it again with read_file, then write what is still right."],
  ],
});
