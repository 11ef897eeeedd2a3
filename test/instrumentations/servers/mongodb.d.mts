/** The types of `mongodb.mjs`, for which no package of its client has to be installed. */
export function startMongo(): Promise<{ url: string; close(): void }>;
