import { artifactEndpoints } from "@/contracts/artifacts";
import { listArtifacts } from "@/server/conversations/list-artifacts";
import { route } from "@/server/http/route";

export const GET = route(artifactEndpoints.list, ({ actor, query }) => listArtifacts(actor, query));
