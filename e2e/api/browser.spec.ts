import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { turnEndpoints } from "@/contracts/turns/turns";
import { expect, test } from "../fixtures";

test("an agent enables the browser, starts it, takes a screenshot as an artifact, and is refused a private address", async ({ api }) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const call = async (name: string, args: Record<string, string>) => {
    const body = { calls: [{ id: "1", name, arguments: args }] };
    return (await api.agent.call(turnEndpoints.submit, { params: { id }, body })).calls[0];
  };
  const use = (action: string, args: Record<string, string> = {}) => call("browser_use", { action, ...args });
  expect(await use("start")).toMatchObject({ status: "failed", content: expect.stringContaining("enable_tool") });
  expect(await call("enable_tool", { toolName: "browser_use" })).toMatchObject({ status: "succeeded" });
  expect(await use("snapshot")).toMatchObject({
    status: "failed",
    content: expect.stringContaining("No browser running. Use action=open with a url first."),
  });
  expect(await use("start")).toMatchObject({ status: "succeeded", content: expect.stringContaining("The browser started") });
  expect(await use("open", { url: "http://169.254.169.254/latest/meta-data" })).toMatchObject({ status: "denied" });
  expect(await use("screenshot")).toMatchObject({
    status: "succeeded",
    content: expect.stringContaining("Took a screenshot."),
    contentParts: expect.arrayContaining([expect.objectContaining({ type: "artifact", mediaType: "image/png" })]),
  });
  expect(await use("stop")).toMatchObject({ status: "succeeded", content: expect.stringContaining("The browser was stopped.") });
});
