import { expect, test } from "vitest";
import { auditEventNames } from "@/contracts/audit/audit";
import { eventSubject, eventTone, eventWords } from "./event-words";

test("names of events read like sentences", () => {
  expect(eventWords("call.timed_out")).toBe("Call timed out");
  expect(eventWords("mcp_server.tools_changed")).toBe("MCP server tools changed");
  expect(eventWords("approval.approved")).toBe("Approved");
  expect(eventWords("user.sign_in_failed")).toBe("Sign-in failed");
  expect(eventWords("rocket.launched"), "of a newer replica").toBe("Rocket launched");
  expect(eventWords("guard_rules.reordered")).toBe("Guard rules reordered");
  expect(new Set(auditEventNames.map(eventWords)).size).toBe(auditEventNames.length);
});

test("outcomes have a colour, changes have none", () => {
  expect(eventTone("call.denied")).toBe("deny");
  expect(eventTone("approval.requested")).toBe("ask");
  expect(eventTone("tool.updated")).toBeNull();
});

test("an event is about what people know by name", () => {
  const row = { tool: null, subject: "01890000-0000-7000-8000-000000000000", subjectName: null, data: {} };
  expect(eventSubject({ ...row, tool: "read_file" })).toBe("read_file");
  expect(eventSubject({ ...row, data: { old: { name: "Before" }, new: { name: "After" } } })).toBe("After");
  expect(eventSubject({ ...row, data: { old: { name: "Gone" } } })).toBe("Gone");
  expect(eventSubject({ ...row, data: { name: "" } })).toBe(row.subject);
  const run = { ...row, subjectName: "Count the invoices" };
  expect(eventSubject(run)).toBe("Count the invoices");
  expect(eventSubject({ ...run, data: { agent: "coder", origin: "chat" } }), "its title before its agent").toBe("Count the invoices");
  expect(eventSubject({ ...run, data: { name: "Then" } }), "the name at that time before the name of today").toBe("Then");
  expect(eventSubject({ ...row, data: { schedule: "Nightly report" } }), "of a removed schedule").toBe("Nightly report");
  expect(eventSubject({ ...row, subject: null })).toBe("");
});
