import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Shape } from "./reference";

/** "list of Tool · or null": the kind of a value in one line. */
export function ShapeWords({ shape }: { shape: Shape }) {
  const { kind, refers, limits } = shape;
  return (
    <span className={`${shared.dim} ${shared.fluid}`}>
      {kind}
      {kind && refers ? " " : null}
      {refers ? (
        <a href={`#${refers.id}`}>
          <RevealedText text={refers.name} />
        </a>
      ) : null}
      {limits.map((limit) => (
        <span key={limit}> · {limit}</span>
      ))}
    </span>
  );
}
