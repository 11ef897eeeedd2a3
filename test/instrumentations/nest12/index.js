import * as common from '@nestjs/common';
import * as core from '@nestjs/core';

export { common, core };
