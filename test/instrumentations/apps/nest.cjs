"use strict";
var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
Object.defineProperty(exports, "__esModule", { value: true });
require("reflect-metadata");
const common_1 = require("@nestjs/common");
const core_1 = require("@nestjs/core");
const faultline_1 = require("faultline");
const users_mjs_1 = require("./users.mjs");
let UsersController = class UsersController {
    load(id) {
        return (0, users_mjs_1.loadUser)(id);
    }
    fail(id) {
        return (0, users_mjs_1.failToLoad)(id);
    }
};
__decorate([
    (0, common_1.Get)(':id'),
    __param(0, (0, common_1.Param)('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String]),
    __metadata("design:returntype", void 0)
], UsersController.prototype, "load", null);
__decorate([
    (0, common_1.Get)(':id/broken'),
    __param(0, (0, common_1.Param)('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String]),
    __metadata("design:returntype", void 0)
], UsersController.prototype, "fail", null);
UsersController = __decorate([
    (0, common_1.Controller)('users')
], UsersController);
let CapturingFilter = class CapturingFilter {
    catch(error, host) {
        (0, faultline_1.captureException)(error);
        host.switchToHttp().getResponse().status(500).json({ error: error.message });
    }
};
CapturingFilter = __decorate([
    (0, common_1.Catch)()
], CapturingFilter);
let UsersModule = class UsersModule {
};
UsersModule = __decorate([
    (0, common_1.Module)({ controllers: [UsersController] })
], UsersModule);
async function start() {
    const app = await core_1.NestFactory.create(UsersModule, { logger: false });
    app.useGlobalFilters(new CapturingFilter());
    await app.listen(0, '127.0.0.1');
    (0, users_mjs_1.announceServer)(app.getHttpServer());
}
void start();
