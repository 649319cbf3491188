import { useMutation } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { ProviderNote, ProviderOutcome, ProviderRow, type ProviderRowControls } from "@/components/kit/provider-list/provider-row";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type MediaProvider, mediaEndpoints } from "@/contracts/browser/models/media";
import { mediaKindWords } from "./media-words";

type MediaProviderRowProps = ProviderRowControls & { provider: MediaProvider };

/** One media provider: its state, its place in the order, and a test of its key. */
export function MediaProviderRow({ provider, refusal, ...row }: MediaProviderRowProps) {
  const { id, title, enabled, status, hasKey, kinds, address } = provider;
  const test = useMutation({
    mutationFn: () => call(mediaEndpoints.test, { body: { provider: id } }),
    meta: { showsError: true },
  });
  return (
    <ProviderRow
      title={title}
      enabled={enabled}
      status={status}
      refusal={refusal}
      {...row}
      controls={
        hasKey ? (
          <RefusableButton
            refusal={refusal}
            variant="default"
            size="compact-sm"
            aria-label={`Test ${title}`}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Test
          </RefusableButton>
        ) : null
      }
    >
      <ProviderNote>{kinds.map((kind) => mediaKindWords[kind]).join(", ")}</ProviderNote>
      {address ? <CodeText dim>{address}</CodeText> : null}
      <ProviderOutcome failed={test.isError || test.data?.succeeded === false}>
        {test.isPending ? (
          "Asking…"
        ) : test.error ? (
          toErrorSentence(test.error)
        ) : test.data ? (
          <RevealedText text={`${test.data.sentence} ${test.data.durationMs.toLocaleString("en")} ms`} />
        ) : null}
      </ProviderOutcome>
    </ProviderRow>
  );
}
