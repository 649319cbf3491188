import { channelEndpoints } from "@/contracts/channels";
import { removeChannel } from "@/server/families/channels/manage-channels";
import { route } from "@/server/http/route";

export const DELETE = route(channelEndpoints.remove, async ({ actor, params }) => {
  await removeChannel(actor, params.id);
  return {};
});
