import type { ReactNode } from "react";
import type { DrawPiece } from "@/components/kit/ui/text/marked-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./command-text.module.css";
import { type ShellToken, shellTokens } from "./shell-tokens";

/** Limit for colouring, because colouring a longer command is slow and helps little. */
const maxColouredChars = 20_000;

/** Draws parts of a command line with coloured programs, flags, quotes, variables and operators. */
export function drawCommand(command: string): DrawPiece {
  const tokens = command.length > maxColouredChars ? [] : shellTokens(command);
  return (text, start) => (
    <span key={start}>
      {colouredPieces(text, start, tokens).map(({ at, piece, kind }) => (
        <Coloured key={at} kind={kind}>
          <RevealedText text={piece} />
        </Coloured>
      ))}
    </span>
  );
}

function Coloured({ kind, children }: { kind: ShellToken["kind"] | null; children: ReactNode }) {
  return kind === null ? children : <span className={classes[kind]}>{children}</span>;
}

function colouredPieces(text: string, start: number, tokens: readonly ShellToken[]) {
  const end = start + text.length;
  const within = tokens.filter((token) => token.end > start && token.start < end);
  const edges = [start, ...within.flatMap((token) => [Math.max(start, token.start), Math.min(end, token.end)]), end];
  return edges.slice(0, -1).flatMap((at, place) => {
    const piece = text.slice(at - start, (edges[place + 1] ?? end) - start);
    const kind = within.find((token) => token.start <= at && at < token.end)?.kind ?? null;
    return piece === "" ? [] : [{ at, piece, kind }];
  });
}
