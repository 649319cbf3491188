import type { AnyTool } from "../define-tool";
import { editFile } from "./files/edit-file";
import { readFile } from "./files/read-file";
import { searchFiles } from "./files/search-files";
import { writeFile } from "./files/write-file";
import { enableTool } from "./framework/enable-tool";
import { shellExecute } from "./shell/shell-execute";
import { dateTime } from "./time/date-time";
import { urlFetch } from "./web/url-fetch";

/** Every tool that ships with Handrail, by name. */
export const builtinTools: readonly AnyTool[] = [dateTime, editFile, enableTool, readFile, searchFiles, shellExecute, urlFetch, writeFile];
