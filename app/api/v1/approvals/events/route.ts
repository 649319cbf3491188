import { approvalEndpoints } from "@/contracts/approvals";
import { approvalFeed } from "@/server/approvals/approval-feed";
import { eventStream } from "@/server/http/event-stream";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.events, async ({ actor, signal, isStillAllowed }) =>
  eventStream({ signal, isStillAllowed }, (until) => approvalFeed(actor, until)),
);
