import classes from "./brand.module.css";

/** The logo, a rail on its posts, and the name. */
export function Brand() {
  return (
    <span className={classes.brand}>
      <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
        <path d="M2 6.5 18 3.5" stroke="var(--hr-accent)" strokeWidth="2.4" strokeLinecap="round" />
        <path d="M5 6.5V17M10 5.6V17M15 4.7V17" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
      Handrail
    </span>
  );
}
