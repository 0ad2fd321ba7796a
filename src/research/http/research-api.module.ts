import { Module } from '@nestjs/common';
import { ModelWatch } from '../../llm/models/model-watch';
import { RunsHttpModule } from '../../runs/http/runs-http.module';
import { JournalForks } from '../continuation/journal-fork';
import { JournalStore } from '../agent/journal/journal.store';
import { GivenFiles } from '../arguments/given-files';
import { Continuation } from '../continuation/continuation';
import { ContinueController } from '../continuation/continue.controller';
import { ResearchEstimates } from '../estimate/research-estimates';
import { EvidenceController } from '../evidence/evidence.controller';
import { EvidenceStore } from '../evidence/evidence.store';
import { PlanController } from '../plan/plan.controller';
import { PlanReviews } from '../plan/plan-reviews';
import { DocumentTextsModule } from '../../sources/pages/document-texts.module';
import { ReportThread } from '../../report/report-thread';
import { ReportController } from '../report/report.controller';
import { ReportSource } from '../report/report-source';
import { ResearchHealth } from '../research-health';
import { researchImports, researchProviders } from '../research.module';
import { SearchHealth } from '../search-health';

/** `deep_research` in API processes, with its routes. */
@Module({
  imports: [...researchImports, RunsHttpModule, DocumentTextsModule],
  controllers: [
    EvidenceController,
    ContinueController,
    PlanController,
    ReportController,
  ],
  providers: [
    ...researchProviders,
    ModelWatch,
    ResearchEstimates,
    GivenFiles,
    ResearchHealth,
    SearchHealth,
    JournalStore,
    EvidenceStore,
    JournalForks,
    Continuation,
    PlanReviews,
    ReportSource,
    ReportThread,
  ],
})
export class ResearchApiModule {}
