export const step = 1;
