import { z } from "zod";
import { guardEndpoints } from "../contracts/guard/guard";
import { Connection, requestBytes } from "./connection";
import { type Given, turnRequest } from "./with-product";

export type SuspendedTurn = { turnId: string; approvalId: string; pollRequest: Buffer; decideRequest: Buffer };

const Suspended = z.object({ id: z.string(), status: z.literal("suspended"), calls: z.array(z.object({ approvalId: z.string() })).min(1) });

/** Makes every write ask, because the default policy allows writes inside the conversation's folder. */
export async function askAboutWrites({ admin }: Given): Promise<void> {
  const rule = { name: "Writing", tool: "write_file", verdict: "require_approval", reason: "The bench" } as const;
  await admin.call(guardEndpoints.createRule, { body: rule });
}

/** Submits one call in each conversation that has to be asked about, by some callers at once. */
export async function suspendTurns(
  { product, asAgent, asAdmin }: Given,
  conversationIds: string[],
  callers = 16,
): Promise<SuspendedTurn[]> {
  const { port } = product;
  const asked: SuspendedTurn[] = [];
  const left = [...conversationIds];
  await Promise.all(
    Array.from({ length: Math.min(callers, left.length) }, async () => {
      const connection = await Connection.open(port);
      for (let conversationId = left.pop(); conversationId; conversationId = left.pop()) {
        const { body } = await connection.send(
          turnRequest(port, conversationId, asAgent, "write_file", { path: "bench.txt", content: "a line\n" }),
        );
        const turn = Suspended.parse(JSON.parse(body.toString()));
        const approvalId = turn.calls[0]?.approvalId ?? "";
        asked.push({
          turnId: turn.id,
          approvalId,
          pollRequest: requestBytes(port, { path: `/api/v1/turns/${turn.id}?wait=30`, headers: asAgent }),
          decideRequest: decideRequest(port, approvalId, asAdmin),
        });
      }
      connection.close();
    }),
  );
  return asked;
}

export const decideRequest = (port: number, approvalId: string, headers: Record<string, string>): Buffer =>
  requestBytes(port, { method: "POST", path: `/api/v1/approvals/${approvalId}/decision`, headers, body: { decision: "approve" } });
