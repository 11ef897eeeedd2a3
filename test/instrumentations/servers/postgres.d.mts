/** The types of `postgres.mjs`, for which PostgreSQL does not have to be installed. */
export function startPostgres(): Promise<{ url: string; close(): Promise<void> }>;
