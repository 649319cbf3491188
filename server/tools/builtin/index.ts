import type { AnyTool } from "../define-tool";
import { editFile } from "./files/edit-file";
import { readFile } from "./files/read-file";
import { searchFiles } from "./files/search-files";
import { writeFile } from "./files/write-file";
import { askUser } from "./framework/ask-user";
import { coreExecute } from "./framework/core-execute";
import { enableTool } from "./framework/enable-tool";
import { jobsTool, readJob, stopTask, waitForJobTool } from "./jobs/job-tools";
import { shellExecute } from "./shell/shell-execute";
import { dateTime } from "./time/date-time";
import { urlFetch } from "./web/url-fetch";

/** Every tool that ships with Handrail, by name. */
export const builtinTools: readonly AnyTool[] = [
  askUser,
  coreExecute,
  dateTime,
  editFile,
  enableTool,
  jobsTool,
  readFile,
  readJob,
  searchFiles,
  shellExecute,
  stopTask,
  urlFetch,
  waitForJobTool,
  writeFile,
];
