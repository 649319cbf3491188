import { artifactEndpoints } from "@/contracts/turns/artifacts";
import { answer } from "@/server/endpoints/answer";
import { attachment } from "@/server/endpoints/attachment";
import { AppError } from "@/server/platform/errors";
import { createArtifactLink, openArtifactLink } from "./artifact-links";

export const artifactLinkAnswers = answer(
  { createLink: artifactEndpoints.createLink, openLink: artifactEndpoints.openLink },
  {
    createLink: ({ actor, params }) => createArtifactLink(actor, params.id),
    openLink: async ({ params, request }) => {
      // Programs that preview addresses send HEAD, which must not spend the link.
      if (request.method === "HEAD") throw new AppError("method_not_allowed", "This link answers GET only.");
      const { artifact, stream } = await openArtifactLink(params.token);
      return attachment(stream, artifact);
    },
  },
);
