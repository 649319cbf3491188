import { IconAlertTriangle, IconAlertTriangleFilled, IconInfoCircle, IconPointFilled } from "@tabler/icons-react";
import type { Approval } from "@/contracts/approvals/approvals";
import classes from "./risk-mark.module.css";

type Risk = Approval["risk"];

const looks = {
  critical: { word: "Critical", icon: IconAlertTriangleFilled },
  high: { word: "High", icon: IconAlertTriangle },
  medium: { word: "Medium", icon: IconPointFilled },
  low: { word: "Low", icon: IconPointFilled },
  info: { word: "Info", icon: IconInfoCircle },
} as const;

export const riskWords: Record<Risk, string> = {
  critical: looks.critical.word,
  high: looks.high.word,
  medium: looks.medium.word,
  low: looks.low.word,
  info: looks.info.word,
};

/** Risk of a call as icon, word and colour. */
export function RiskMark({ risk }: { risk: Risk }) {
  const { word, icon: Icon } = looks[risk];
  return (
    <span className={classes.risk} data-risk={risk}>
      <Icon size={12} aria-hidden />
      {word}
    </span>
  );
}
