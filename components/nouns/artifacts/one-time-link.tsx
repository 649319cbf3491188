import { Button, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLink } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { artifactEndpoints } from "@/contracts/browser/turns/artifacts";

/** Copies a link with which anybody downloads the artifact once, within its time. */
export function OneTimeLink({ id, name }: { id: string; name: string }) {
  const copy = useMutation({
    mutationFn: async () => {
      const link = await call(artifactEndpoints.createLink, { params: { id } });
      await navigator.clipboard.writeText(link.url);
      return link;
    },
    onSuccess: ({ expiresAt }) => {
      const until = new Date(expiresAt).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
      notifications.show({ message: spellHidden(`Link copied. Whoever has it can download ${name} once, until ${until}.`) });
    },
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconLink size={14} aria-hidden />}
      loading={copy.isPending}
      onClick={() => copy.mutate()}
    >
      Copy link
      <VisuallyHidden component="span">
        {" "}
        to <RevealedText text={name} />
      </VisuallyHidden>
    </Button>
  );
}
