import { artifactEndpoints } from "@/contracts/artifacts";
import { createArtifactLink } from "@/server/families/documents/artifact-links";
import { route } from "@/server/http/route";

export const POST = route(artifactEndpoints.createLink, ({ actor, params }) => createArtifactLink(actor, params.id));
