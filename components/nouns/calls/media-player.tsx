"use client";

import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import shared from "@/components/kit/ui/shared.module.css";
import { artifactEndpoints } from "@/contracts/browser/turns/artifacts";
import classes from "./call-files.module.css";

type MediaPlayerProps = {
  id: string;
  /** A media type that `playerOf` accepts. */
  mediaType: string;
  player: "audio" | "video";
  /** Name of the tool that made the file. */
  of: string;
};

/**
 * Plays an artifact. It is loaded when somebody wants to see it, because videos are large, and played from memory under the checked
 * media type, so the browser treats the bytes as nothing else.
 */
export function MediaPlayer({ id, mediaType, player: Player, of }: MediaPlayerProps) {
  const [source, setSource] = useState<string | null>(null);
  const [state, setState] = useState<"idle" | "loading" | "broken">("idle");
  useEffect(() => () => void (source && URL.revokeObjectURL(source)), [source]);
  const load = async () => {
    setState("loading");
    try {
      const response = await fetch(endpointAddress(artifactEndpoints.get, { params: { id } }), { credentials: "same-origin" });
      if (!response.ok) throw new Error(`the artifact answered ${response.status}`);
      setSource(URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: mediaType })));
      setState("idle");
    } catch {
      setState("broken");
    }
  };
  if (state === "broken") return <span className={shared.small}>Cannot be played here. Download it.</span>;
  if (source === null) {
    return (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        loading={state === "loading"}
        onClick={() => void load()}
      >
        Play the {Player}
      </Button>
    );
  }
  return (
    <Player className={classes.player} src={source} controls autoPlay aria-label={`Made by ${of}`} onError={() => setState("broken")} />
  );
}
