/** Largest page that the API returns. */
export const longestPage = 200;
