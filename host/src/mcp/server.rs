//! The server that answers one message of one caller.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode as RpcCode,
    Implementation, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use crate::broker::Caller;
use crate::protocol::text::clip_bytes;

use super::tools::{self, MemberTool};
use super::{Member, version, words};

/// The member tools, called by one agent's session.
#[derive(Clone)]
pub(super) struct MemberServer {
    member: Arc<Member>,
    caller: Arc<Caller>,
}

impl MemberServer {
    /// A server for `caller`.
    pub(super) fn new(member: Arc<Member>, caller: Caller) -> Self {
        let caller = Arc::new(caller);
        Self { member, caller }
    }
}

impl ServerHandler for MemberServer {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(tools)
            .with_server_info(
                Implementation::new(words::SERVER_NAME, words::SERVER_VERSION)
                    .with_title(words::SERVER_TITLE),
            )
            .with_instructions(words::INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(version::spoken())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        Some(MemberTool::named(name)?.describe())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = MemberTool::ALL.iter().map(|tool| tool.describe()).collect();
        // Whoever has read the list has the tools; nothing earlier proves it (MCP-11).
        self.member.broker.tools_listed(&self.caller);
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match MemberTool::named(&request.name) {
            Some(tool) => tool.call(&self.member, &self.caller, &arguments).await,
            None => Err(tools::Failure::unknown(&request.name)),
        };
        Ok(tools::result(result).into())
    }

    /// The library takes a known method with parameters of another shape for one of somebody's own.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "initialize" | "tools/list" | "tools/call" => ErrorData::invalid_params(
                format!(
                    "The parameters of {} do not have the shape of MCP.",
                    request.method
                ),
                None,
            ),
            other => {
                let words = format!("This server has no method {}.", clip_bytes(other, 100));
                ErrorData::new(RpcCode::METHOD_NOT_FOUND, words, None)
            }
        })
    }
}
