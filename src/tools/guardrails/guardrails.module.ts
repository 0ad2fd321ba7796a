import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { GuardrailDiscovery } from './guardrail-discovery';
import { Guardrails } from './guardrails';

@Module({
  imports: [DiscoveryModule],
  providers: [Guardrails, GuardrailDiscovery],
  exports: [Guardrails],
})
export class GuardrailsModule {}
