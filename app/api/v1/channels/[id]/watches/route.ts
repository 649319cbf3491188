import { channelEndpoints } from "@/contracts/channels";
import { createWatch, listWatches } from "@/server/families/channels/manage-watches";
import { route } from "@/server/http/route";

export const GET = route(channelEndpoints.listWatches, ({ actor, params }) => listWatches(actor, params.id));

export const POST = route(channelEndpoints.createWatch, ({ actor, params, body }) => createWatch(actor, params.id, body));
