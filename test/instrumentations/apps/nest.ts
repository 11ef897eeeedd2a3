import 'reflect-metadata';
import { type ArgumentsHost, Catch, Controller, type ExceptionFilter, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { captureException } from 'faultline';
import { announceServer, failToLoad, loadUser } from './users.mjs';

@Controller('users')
class UsersController {
  @Get(':id')
  load(@Param('id') id: string) {
    return loadUser(id);
  }

  @Get(':id/broken')
  fail(@Param('id') id: string) {
    return failToLoad(id);
  }
}

@Catch()
class CapturingFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost) {
    captureException(error);
    host.switchToHttp().getResponse().status(500).json({ error: error.message });
  }
}

@Module({ controllers: [UsersController] })
class UsersModule {}

async function start() {
  const app = await NestFactory.create(UsersModule, { logger: false });
  app.useGlobalFilters(new CapturingFilter());
  await app.listen(0, '127.0.0.1');
  announceServer(app.getHttpServer());
}

void start();
