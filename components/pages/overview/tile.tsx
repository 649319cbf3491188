import { Skeleton } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import Link from "next/link";
import type { ComponentType, ReactNode } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./overview.module.css";

type TileProps = {
  title: string;
  icon: ComponentType<IconProps>;
  href: string;
  /** Highlights a tile that needs attention. */
  urgent?: boolean;
  error: unknown;
  loading: boolean;
  children: ReactNode;
};

/** One figure about the workspace, with a link to its page. */
export function Tile({ title, icon: Icon, href, urgent = false, error, loading, children }: TileProps) {
  return (
    <section className={`${classes.tile} ${shared.surface}`} data-urgent={urgent || undefined}>
      <h2 className={classes.tileTitle}>
        <Icon size={16} stroke={1.7} aria-hidden />
        <Link href={href} className={classes.tileLink}>
          <RevealedText text={title} />
        </Link>
      </h2>
      {loading ? (
        <div aria-hidden>
          <Skeleton height={28} width={72} mb={8} />
          <Skeleton height={12} width="80%" />
        </div>
      ) : error ? (
        <p className={shared.errorText} role="alert">
          {toErrorSentence(error)}
        </p>
      ) : (
        children
      )}
    </section>
  );
}
