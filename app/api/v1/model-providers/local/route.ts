import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { findLocalServers } from "@/server/models/find-local-servers";

export const GET = route(modelEndpoints.listLocal, ({ actor }) => findLocalServers(actor));
