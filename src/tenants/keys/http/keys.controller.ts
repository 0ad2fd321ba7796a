import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
} from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { RequiresScope } from '../../../platform/auth/requires-scope';
import { type IssuedKey, KeyAdmin } from '../key-admin';
import { KeyTable } from '../key-table';
import { KEY_EXAMPLES } from './key-examples';
import {
  CreateKeyDto,
  expiryIn,
  keyChange,
  IssuedKeyDto,
  KeyDto,
  KeyListDto,
  RevokeKeyDto,
  RotateKeyDto,
  toIssuedDto,
  toKeyDto,
  UpdateKeyDto,
} from './key.dto';

/** Administration of API keys, with a key that has the scope `admin`. */
@ApiTags('keys')
@Controller('admin/api/keys')
export class KeysController {
  constructor(
    private readonly admin: KeyAdmin,
    private readonly table: KeyTable,
  ) {}

  @Post()
  @RequiresScope('admin')
  @Header('Cache-Control', 'no-store')
  @ApiBody({ type: CreateKeyDto, examples: KEY_EXAMPLES.create })
  @ApiOperation({ summary: 'Make a key; its text is shown only here' })
  @ApiCreatedResponse({ type: IssuedKeyDto })
  async create(
    @Body() body: CreateKeyDto,
    @Caller() { name: by = '' }: CallerIdentity,
  ): Promise<IssuedKeyDto> {
    const { name, scopes } = body;
    const expiresMs = expiryIn(body, this.admin.now());
    return this.issued(
      await this.admin.create({ name, scopes, expiresMs, settings: body }, by),
    );
  }

  @Get()
  @RequiresScope('admin')
  @ApiOperation({ summary: 'All keys, without their texts' })
  async list(): Promise<KeyListDto> {
    const now = this.admin.now();
    const keys = await this.admin.list();
    return { data: keys.map((key) => toKeyDto(key, now)) };
  }

  @Get(':key_id')
  @RequiresScope('admin')
  @ApiParam({ name: 'key_id', schema: { type: 'string' } })
  @ApiOperation({ summary: 'One key, without its text' })
  async get(@Param('key_id') id: string): Promise<KeyDto> {
    return toKeyDto(await this.admin.get(id), this.admin.now());
  }

  @Patch(':key_id')
  @RequiresScope('admin')
  @ApiParam({ name: 'key_id', schema: { type: 'string' } })
  @ApiBody({ type: UpdateKeyDto, examples: KEY_EXAMPLES.update })
  @ApiOperation({
    summary:
      'Change a key: here at once, in other processes within about a second',
  })
  async update(
    @Param('key_id') id: string,
    @Body() body: UpdateKeyDto,
    @Caller() { name: by = '' }: CallerIdentity,
  ): Promise<KeyDto> {
    const record = await this.admin.update(
      id,
      keyChange(body, this.admin.now()),
      by,
    );
    await this.table.refresh();
    return toKeyDto(record, this.admin.now());
  }

  @Post(':key_id/rotate')
  @RequiresScope('admin')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiParam({ name: 'key_id', schema: { type: 'string' } })
  @ApiBody({ type: RotateKeyDto, examples: KEY_EXAMPLES.rotate })
  @ApiOperation({
    summary: 'Give a key a new text; the one before stays valid for a while',
  })
  @ApiOkResponse({ type: IssuedKeyDto })
  async rotate(
    @Param('key_id') id: string,
    @Body() { overlap_seconds }: RotateKeyDto,
    @Caller() { name: by = '' }: CallerIdentity,
  ): Promise<IssuedKeyDto> {
    return this.issued(
      await this.admin.rotate(id, overlap_seconds * 1_000, by),
    );
  }

  @Post(':key_id/revoke')
  @RequiresScope('admin')
  @HttpCode(200)
  @ApiParam({ name: 'key_id', schema: { type: 'string' } })
  @ApiBody({ type: RevokeKeyDto, examples: KEY_EXAMPLES.revoke })
  @ApiOperation({
    summary:
      'End a key: here at once, in other processes within about a second',
  })
  @ApiOkResponse({ type: KeyDto })
  async revoke(
    @Param('key_id') id: string,
    @Body() { runs }: RevokeKeyDto,
    @Caller() { name: by = '' }: CallerIdentity,
  ): Promise<KeyDto> {
    const record = await this.admin.revoke(id, runs, by);
    await this.table.refresh();
    return toKeyDto(record, this.admin.now());
  }

  private async issued({ record, key }: IssuedKey): Promise<IssuedKeyDto> {
    await this.table.refresh();
    return toIssuedDto({ record, key }, this.admin.now());
  }
}
