import { expect, test } from "vitest";
import { type ArgumentRole, findArgumentRole } from "./argument-roles";

test.each<[name: string, role: ArgumentRole | undefined]>([
  ["command", "command"],
  ["CMD", "command"],
  ["shell_command", "command"],
  ["shellCommand", "command"],
  ["Shell-Command", "command"],
  ["shell command", "command"],
  ["command_lines", "commands"],
  ["code", "script"],
  ["lines", "scripts"],
  ["stdin", "text"],
  ["executable", "program"],
  ["extraArgs", "arguments"],
  ["argv", "words"],
  ["shell_type", "language"],
  ["command".padEnd(24, "_"), "command"],
  ["command".padEnd(25, "_"), undefined],
  ["title", undefined],
  ["", undefined],
])("an argument %j is a %s", (name, role) => expect(findArgumentRole(name)).toBe(role));
