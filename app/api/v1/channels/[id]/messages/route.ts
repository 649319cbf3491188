import { channelEndpoints } from "@/contracts/channels";
import { listMessages, sendToChannel } from "@/server/families/channels/channel-messages";
import { route } from "@/server/http/route";

export const GET = route(channelEndpoints.listMessages, ({ actor, params, query }) => listMessages(actor, params.id, query));

export const POST = route(channelEndpoints.send, ({ actor, params, body }) => sendToChannel(actor, params.id, body));
