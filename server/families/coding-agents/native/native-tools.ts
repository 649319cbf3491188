import type { CodingClient } from "@/contracts/agents/coding-agents";
import type { NativeTool } from "./native-tool";
import { patchTargets } from "./patch-targets";

type Table = Readonly<Record<string, NativeTool>>;

/** Tools that change nothing outside of the client: task lists, plans, questions to the person at the keyboard, subagents. */
const harmless: NativeTool = { effect: "read" };
const listed = (...names: readonly string[]): Table => Object.fromEntries(names.map((name) => [name, harmless]));

const command = (member: string, cwd?: string): NativeTool => ({
  action: "command",
  arguments: { command: member, ...(cwd ? { cwd } : {}) },
});
const reads = (member: string): NativeTool => ({ action: "read", arguments: { path: member } });
const writes = (path: string, content: string): NativeTool => ({ action: "write", arguments: { path, content } });
const edits = (path: string, oldText: string, newText: string): NativeTool => ({
  action: "edit",
  arguments: { path, oldText, newText },
});
const fetches = (member: string): NativeTool => ({ action: "fetch", arguments: { url: member } });
const patches = (member: string): NativeTool => ({ targets: { member, read: patchTargets } });
const looksAt = (member: string): NativeTool => ({ effect: "read", paths: { [member]: "read" } });
/** A search through a folder; other members may hold patterns that start in the folder and lead out of it. */
const searches = (folder: string, globs: NativeTool["globs"] = {}): NativeTool => ({
  effect: "read",
  paths: { [folder]: "search" },
  globs,
});

/**
 * The tools of each client, as far as Handrail knows them: the native name, the action that it stands for, and where the native
 * input holds what our tool has as arguments. A tool that is not listed is judged by its name and the texts in it.
 */
export const nativeTools: Readonly<Record<CodingClient, Table>> = {
  "claude-code": {
    Bash: command("command"),
    Read: reads("file_path"),
    Write: writes("file_path", "content"),
    Edit: edits("file_path", "old_string", "new_string"),
    MultiEdit: { effect: "write", paths: { file_path: "write" } },
    NotebookEdit: { effect: "write", paths: { notebook_path: "write" } },
    NotebookRead: looksAt("notebook_path"),
    Grep: searches("path", { glob: "path" }),
    Glob: searches("path", { pattern: "path" }),
    LS: looksAt("path"),
    WebFetch: fetches("url"),
    ...listed("Agent", "Task", "TodoWrite", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "BashOutput", "TaskOutput", "ToolSearch"),
    ...listed("TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskStop", "KillShell", "SendMessage", "Skill"),
  },
  codex: {
    Bash: command("command"),
    apply_patch: patches("command"),
    view_image: looksAt("path"),
    ...listed("spawn_agent", "update_plan", "wait_agent", "close_agent", "request_user_input", "list_agents"),
  },
  gemini: {
    run_shell_command: command("command", "directory"),
    read_file: reads("file_path"),
    read_many_files: { effect: "read", paths: { include: "search", paths: "search" }, globs: { include: null, paths: null } },
    write_file: writes("file_path", "content"),
    replace: edits("file_path", "old_string", "new_string"),
    list_directory: looksAt("dir_path"),
    search_file_content: searches("dir_path", { include: "dir_path", include_pattern: "dir_path" }),
    grep_search: searches("dir_path", { include: "dir_path", include_pattern: "dir_path" }),
    glob: searches("dir_path", { pattern: "dir_path" }),
    ...listed("invoke_agent", "write_todos", "ask_user", "enter_plan_mode", "exit_plan_mode", "activate_skill"),
  },
  copilot: {
    bash: command("command"),
    view: reads("path"),
    create: writes("path", "file_text"),
    edit: edits("path", "old_str", "new_str"),
    apply_patch: patches("input"),
    grep: searches("path", { glob: "path" }),
    glob: searches("path", { pattern: "path" }),
    web_fetch: fetches("url"),
    ...listed(
      "task",
      "report_intent",
      "update_todo",
      "ask_user",
      "read_bash",
      "stop_bash",
      "list_bash",
      "read_agent",
      "list_agents",
      "skill",
    ),
  },
  opencode: {
    bash: command("command", "workdir"),
    read: reads("filePath"),
    write: writes("filePath", "content"),
    edit: edits("filePath", "oldString", "newString"),
    patch: patches("patchText"),
    apply_patch: patches("patchText"),
    grep: searches("path", { include: "path" }),
    glob: searches("path", { pattern: "path" }),
    list: searches("path"),
    webfetch: fetches("url"),
    ...listed("task", "todowrite", "todoread", "question", "skill", "invalid"),
  },
  cursor: {
    Shell: command("command", "cwd"),
    Read: reads("file_path"),
    Write: writes("file_path", "content"),
    ...listed("Task", "TodoWrite"),
  },
  other: {},
};
