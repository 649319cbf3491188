import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { testDraft } from "@/server/models/test-provider";

export const POST = route(modelEndpoints.testDraft, ({ actor, body, signal }) => testDraft(actor, body, signal));
