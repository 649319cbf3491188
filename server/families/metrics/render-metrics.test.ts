import { expect, test } from "vitest";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { tellObservers } from "@/server/turns/call-observers";
import { countCalls } from "./call-metrics";
import { renderMetrics } from "./render-metrics";

useTestDatabase();

test("calls are counted by status for their own workspace, beside what waits now and the process itself", async () => {
  const { workspace, admin, agentKey } = await buildWorkspace();
  const other = await buildWorkspace();
  await buildConversation(agentKey);
  const stop = await countCalls.start();
  tellObservers({ workspaceId: workspace.id, status: "succeeded", durationMs: 40 });
  tellObservers({ workspaceId: workspace.id, status: "denied", durationMs: 0 });
  tellObservers({ workspaceId: other.workspace.id, status: "succeeded", durationMs: 7 });
  await stop();
  tellObservers({ workspaceId: workspace.id, status: "failed", durationMs: 1 });

  const { text, contentType } = await renderMetrics(authorize(admin, "metrics:read"));
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'handrail_calls_total{status="succeeded"} 1',
      'handrail_calls_total{status="denied"} 1',
      'handrail_call_duration_seconds_bucket{le="0.05"} 1',
      'handrail_turns{status="running"} 0',
      "handrail_approvals_pending 0",
    ]),
  );
  expect(text).toContain("handrail_process_resident_memory_bytes");
  expect(text).not.toContain('status="failed"} 1');
});
