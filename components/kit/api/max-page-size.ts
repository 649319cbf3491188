/** Largest page that the API returns. */
export const maxPageSize = 200;
