import { mediaEndpoints } from "@/contracts/media";
import { tryMedia } from "@/server/families/media/try-media";
import { route } from "@/server/http/route";

export const POST = route(mediaEndpoints.test, ({ actor, body, signal }) => tryMedia(actor, body, signal));
