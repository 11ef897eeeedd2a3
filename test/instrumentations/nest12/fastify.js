import { FastifyAdapter } from '@nestjs/platform-fastify';

export { common, core } from './index.js';
export const createAdapter = () => new FastifyAdapter();
