import { expect, test } from "vitest";
import type { RegisteredTool } from "../registered-tool";
import { isGroupChannel, shapeByChannel } from "./shape-by-channel";

test.each([
  ["telegram:group", true],
  ["telegram-supergroup", true],
  ["Slack_Groups", true],
  ["group", true],
  ["telegram:private", false],
  ["groupware", false],
  ["", false],
  [null, false],
])("the channel %j is a group: %s", (channel, expected) => {
  expect(isGroupChannel(channel)).toBe(expected);
});

test("a group conversation loses the tools that are for private ones, and a private one keeps all", () => {
  const tools = [{ name: "send_to_contact", hiddenInGroups: true }, { name: "date_time" }] as RegisteredTool[];
  const agent = { effective: new Map(tools.map((tool) => [tool.name, tool])) };
  expect([...shapeByChannel(agent, "telegram:group").keys()]).toEqual(["date_time"]);
  expect(shapeByChannel(agent, "telegram:group")).toBe(shapeByChannel(agent, "telegram:group"));
  expect(shapeByChannel(agent, "telegram:private")).toBe(agent.effective);
  expect(shapeByChannel(agent, null)).toBe(agent.effective);
});

test("a tool for the chats of a platform is there in its chats only, and one for any chat in no conversation without one", () => {
  const tools = [
    { name: "telegram_send_file", onlyInChatsOf: "telegram" },
    { name: "channel_send_file", onlyInChatsOf: "any" },
  ] as RegisteredTool[];
  const agent = { effective: new Map(tools.map((tool) => [tool.name, tool])) };
  const shown = (channel: string | null) => [...shapeByChannel(agent, channel).keys()];
  expect(shown("telegram:private")).toEqual(["telegram_send_file", "channel_send_file"]);
  expect(shown("telegram:group:thread")).toEqual(["telegram_send_file", "channel_send_file"]);
  expect(shown("slack:private")).toEqual(["channel_send_file"]);
  expect(shown(null)).toEqual([]);
});
