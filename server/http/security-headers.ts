/** On every answer, whoever gives it. HTTPS-only is the business of whatever ends TLS in front of us. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** For what is not a page: should a browser ever show it, it runs and loads nothing. */
export const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * For pages: only scripts that carry the nonce of this answer, and what those load, may run. Styles may stand inline,
 * because the component library sets sizes and colours in `style` attributes.
 */
export function pageContentSecurityPolicy(nonce: string, { isDev }: { isDev: boolean }): string {
  return [
    "default-src 'self'",
    // React's development build evaluates code to show where an error comes from.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
