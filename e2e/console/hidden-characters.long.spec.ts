import { agentEndpoints } from "@/contracts/agents/agents";
import { todoEndpoints } from "@/contracts/conversations/todos";
import { guardEndpoints } from "@/contracts/guard/guard";
import { expect, test } from "../fixtures";
import { open } from "./check-page";
import { submitTurn } from "./submit-requests";

/** Reads as `exe.png` where it is drawn as it is. */
const disguised = "\u202egnp.exe";
const shown = "U+202Egnp.exe";

test("hidden characters are spelt out in a to-do, an agent's description, a rule and the trace of a decision", async ({
  consolePage: page,
  api,
}) => {
  await api.admin.call(todoEndpoints.create, { body: { content: `Open ${disguised}` } });
  await api.admin.call(agentEndpoints.create, { body: { name: "disguised", description: `Opens ${disguised}` } });
  const rule = await api.admin.call(guardEndpoints.createRule, {
    body: { name: `Rule ${disguised}`, reason: `Because of ${disguised}`, tool: "date_time", verdict: "require_approval", priority: 10 },
  });
  const turn = await submitTurn(api.agent, [{ name: "date_time", arguments: {} }]);
  const pages = ["/todos", "/agents", "/guard", `/approvals?approval=${turn.calls[0]?.approvalId}`, `/turns/${turn.id}`];
  try {
    for (const address of pages) {
      await open(page, address);
      await expect(page.getByText(shown).first(), address).toBeVisible();
      // Only what is drawn: the data of the page holds the text as it is.
      await expect(page.locator("body"), address).not.toContainText("\u202e", { useInnerText: true });
    }
  } finally {
    // Other journeys of this worker call the tool.
    await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
  }
});
