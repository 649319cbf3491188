import { channelEndpoints } from "@/contracts/channels";
import { createChannel, listChannels } from "@/server/families/channels/manage-channels";
import { route } from "@/server/http/route";

export const GET = route(channelEndpoints.list, ({ actor }) => listChannels(actor));

export const POST = route(channelEndpoints.create, ({ actor, body }) => createChannel(actor, body));
